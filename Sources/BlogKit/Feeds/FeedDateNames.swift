import BlogEssentials
import BlogModel

/// The names of months in the languages of many feeds.
enum MonthNames {
    /// The number of a month by its name in lower case or a beginning of it, at least three letters; nil if it could be
    /// another one.
    static func number(of word: String) -> Int? {
        guard word.utf8.count >= 3 else { return nil }
        if let month = english.firstIndex(where: { $0.starts(with: word.utf8) }) { return month + 1 }
        // Nearly all other words are these, and looking them up takes longer.
        if englishDays.contains(where: { $0 == word }) { return nil }
        let folded = Folding.fold(word)
        let candidates = byBeginning[String(folded.prefix(3))] ?? []
        // In Czech, the name of June is the beginning of that of July.
        let exact = candidates.filter { $0.name == folded }
        let matches = exact.isEmpty ? candidates.filter { $0.name.hasPrefix(folded) } : exact
        let months = Set(matches.map(\.month))
        return months.count == 1 ? months.first : nil
    }

    /// Whether the beginning of a month's name is also the name of a weekday, so that the month may follow.
    static func mayBeWeekday(_ word: String) -> Bool { weekdays.contains(word) }

    /// "mar" is Tuesday in French, Italian, Romanian and Spanish, "maa" Monday in Dutch, "paz" Sunday in Turkish, "sze" and
    /// "vas" Wednesday and Sunday in Hungarian, and "сер" Wednesday in Ukrainian.
    private static let weekdays: Set<String> = ["mar", "marți", "marti", "maa", "paz", "sze", "vas", "сер"]

    private static let english = CalendarMonth.names.map { Array($0.lowercased().utf8) }
    private static let englishDays = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    private static let byBeginning: [String: [(name: String, month: Int)]] = {
        let months = names.flatMap { names in
            names.split(separator: " ").enumerated().flatMap { index, names in
                names.split(separator: "/").map { (name: Folding.fold(String($0)), month: index + 1) }
            }
        }
        return Dictionary(grouping: months) { String($0.name.prefix(3)) }
    }()

    /// In each language from January to December, with other forms and abbreviations that aren't beginnings.
    ///
    /// Croatian is missing, as its names are those of other months in Czech and Polish.
    private static let names = [
        // English, German, French, Spanish, Portuguese, Italian, Dutch
        "january february march april may june july august september/sept october november december",
        "januar/jänner februar märz/mrz april mai juni juli august september oktober november dezember",
        "janvier février mars avril mai juin juillet/jul août septembre octobre novembre décembre",
        "enero febrero marzo abril mayo junio julio agosto septiembre/setiembre octubre noviembre diciembre",
        "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
        "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
        "januari februari maart/mrt april mei juni juli augustus september oktober november december",
        // Danish and Norwegian, Swedish, Finnish, Estonian, Latvian, Lithuanian
        "januar februar mars/marts april maj/mai juni juli august september oktober november december/desember",
        "januari februari mars april maj juni juli augusti september oktober november december",
        "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta"
            + " marraskuuta joulukuuta",
        "jaanuar veebruar märts aprill mai juuni juuli august september oktoober november detsember",
        "janvāris februāris marts aprīlis maijs jūnijs jūlijs augusts septembris oktobris novembris decembris",
        "sausis/sausio vasaris/vasario kovas/kovo balandis/balandžio gegužė/gegužės birželis/birželio liepa/liepos"
            + " rugpjūtis/rugpjūčio/rgp rugsėjis/rugsėjo/rgs spalis/spalio lapkritis/lapkričio gruodis/gruodžio",
        // Polish, Czech, Slovak, Slovenian
        "styczeń/stycznia luty/lutego marzec/marca kwiecień/kwietnia maj/maja czerwiec/czerwca lipiec/lipca"
            + " sierpień/sierpnia wrzesień/września październik/października listopad/listopada grudzień/grudnia",
        "leden/ledna únor/února březen/března duben/dubna květen/května červen/června/čvn červenec/července/čvc"
            + " srpen/srpna září říjen/října listopad/listopadu prosinec/prosince",
        "január/januára február/februára marec/marca apríl/apríla máj/mája jún/júna júl/júla august/augusta"
            + " september/septembra október/októbra november/novembra december/decembra",
        "januar/januarja februar/februarja marec/marca april/aprila maj/maja junij/junija julij/julija"
            + " avgust/avgusta september/septembra oktober/oktobra november/novembra december/decembra",
        // Russian, Ukrainian, Bulgarian
        "январь/января февраль/февраля март/марта апрель/апреля май/мая июнь/июня июль/июля август/августа"
            + " сентябрь/сентября октябрь/октября ноябрь/ноября декабрь/декабря",
        "січень/січня лютий/лютого березень/березня квітень/квітня травень/травня червень/червня липень/липня"
            + " серпень/серпня вересень/вересня жовтень/жовтня листопад/листопада грудень/грудня",
        "януари февруари март април май юни юли август септември октомври ноември декември",
        // Catalan, Romanian, Greek, Hungarian, Turkish, Indonesian, Malay
        "gener febrer març abril maig juny juliol agost setembre octubre novembre desembre",
        "ianuarie februarie martie aprilie mai iunie iulie august septembrie octombrie noiembrie decembrie",
        "ιανουάριος/ιανουαρίου φεβρουάριος/φεβρουαρίου μάρτιος/μαρτίου απρίλιος/απριλίου μάιος/μαΐου"
            + " ιούνιος/ιουνίου ιούλιος/ιουλίου αύγουστος/αυγούστου σεπτέμβριος/σεπτεμβρίου οκτώβριος/οκτωβρίου"
            + " νοέμβριος/νοεμβρίου δεκέμβριος/δεκεμβρίου",
        "január február március április május június július augusztus szeptember október november december",
        "ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık",
        "januari februari/pebruari maret april mei juni juli agustus september oktober november/nopember desember",
        "januari februari mac april mei jun julai ogos september oktober november disember",
    ]
}

/// Names that mean another month in Finnish than in other languages.
///
/// The days of March and November always have the same weekdays, so only the name of the weekday tells them apart.
enum FinnishNames {
    /// The month that a name, in lower case, means only in Finnish; nil for all other names.
    static func otherMonth(_ name: String) -> Int? { name == "mar" ? 11 : nil }

    /// A day of the week from 0 for Monday by its name or its two letters, in lower case; nil for other words.
    ///
    /// Longer beginnings are those of other languages: "tor" is Danish.
    static func weekday(_ word: String) -> Int? { weekdays.firstIndex { $0 == word || $0.prefix(2) == word } }

    private static let weekdays = [
        "maanantai", "tiistai", "keskiviikko", "torstai", "perjantai", "lauantai", "sunnuntai",
    ]
}
