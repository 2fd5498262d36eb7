"""Words in several scripts."""

import functools

from corpus import COMMON, Words

CYRILLIC = "ра лин то вес мор ди сел бан ку тер по зин гал нер во та ми кон пре ста".split()
CHINESE = list("的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经")
ARABIC = "ال من في على ما هذا كا مر سل بن تر قو دي شم نو حب".split()
LATIN = "ångs ñu çe ør tři łą żu ßen ğı ão ê œu".split()
EMOJI = "😀 🎉 🚀 🐍 ☕️ ❤️ 👍🏽 👩‍💻 🇩🇪 🏳️‍🌈 1️⃣ 🧵".split()


@functools.cache
def all_words():
    """A vocabulary for each script."""
    return [
        Words(1, LATIN, LATIN), Words(2, CYRILLIC, CYRILLIC), Words(3, CHINESE, CHINESE, 2, "", "。"),
        Words(4, ARABIC, ARABIC), Words(5, EMOJI + COMMON, EMOJI, 2)]


def in_a_script(record, number):
    """The post with its texts in one of the scripts, by its number."""
    vocabularies = all_words()
    words = vocabularies[number % len(vocabularies)]
    # Reseeded for each post, so that it doesn't depend on the lists generated before.
    words.random.seed(number)
    author = " ".join(words.words[number // len(vocabularies) * step % 97] for step in (1, 3))
    return record | {
        "title": words.sentence(5), "summary": words.sentence(28), "author": record["author"] | {"name": author}}
