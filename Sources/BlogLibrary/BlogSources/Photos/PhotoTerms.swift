/// What the API's numbers stand for
/// (https://github.com/500px/legacy-api-documentation/blob/master/basics/formats_and_terms.md).
enum PhotoTerms {
    /// What photos show; 0 is for those without one.
    static let categories = [
        1: "Celebrities", 2: "Film", 3: "Journalism", 4: "Nude", 5: "Black and White", 6: "Still Life", 7: "People",
        8: "Landscapes", 9: "City and Architecture", 10: "Abstract", 11: "Animals", 12: "Macro", 13: "Travel",
        14: "Fashion", 15: "Commercial", 16: "Concert", 17: "Sport", 18: "Nature", 19: "Performing Arts", 20: "Family",
        21: "Street", 22: "Underwater", 23: "Food", 24: "Fine Art", 25: "Wedding", 26: "Transportation",
        27: "Urban Exploration",
    ]

    /// On what terms photos may be used.
    static let licenses = [
        0: "Standard 500px License", 1: "Creative Commons Attribution Non Commercial",
        2: "Creative Commons Attribution Non Commercial No Derivatives",
        3: "Creative Commons Attribution Non Commercial Share Alike", 4: "Creative Commons Attribution",
        5: "Creative Commons Attribution No Derivatives", 6: "Creative Commons Attribution Share Alike",
        7: "Public Domain Mark 1.0", 8: "Creative Commons Zero (CC0) 1.0",
    ]
}
