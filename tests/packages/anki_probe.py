"""Imports packages into an empty collection of Anki, one after the other, and writes what is in it as JSON.

    anki_probe.py FOLDER PACKAGE…
"""

import json
import os
import sys

from anki.collection import Collection, ImportAnkiPackageOptions, ImportAnkiPackageRequest


def main(folder, *packages):
    collection = Collection(os.path.join(folder, "user.anki2"))
    logs, counts, notes = [], [], []
    for nth, package in enumerate(packages):
        request = ImportAnkiPackageRequest(package_path=package, options=ImportAnkiPackageOptions())
        log = collection.import_anki_package(request).log
        other = [log.conflicting, log.first_field_match, log.missing_notetype, log.missing_deck, log.empty_first_field]
        logs.append({"new": len(log.new), "updated": len(log.updated), "duplicate": len(log.duplicate), "other": sum(map(len, other))})
        counts.append(collection.note_count())
        if nth == 0:
            for note in map(collection.get_note, collection.find_notes("")):
                notes.append({"guid": note.guid, "fields": note.values(), "tags": note.tags})
    named = {note.values()[0]: note.cards()[0] for note in map(collection.get_note, collection.find_notes(""))}
    problems, is_sound = collection.fix_integrity()
    chosen = [card for title, card in named.items() if "script" in title or "back" in title.lower()][:3]
    cards = {}
    for nth, card in enumerate(chosen):
        cards[f"front-{nth}"], cards[f"back-{nth}"] = card.question(), card.answer()
    print(json.dumps({
        "logs": logs,
        "counts": counts,
        "notes": notes,
        "problems": [] if is_sound else [problems],
        "decks": [deck.name for deck in collection.decks.all_names_and_ids()],
        "missing": list(collection.media.check().missing),
        "media": collection.media.dir(),
        "cards": cards,
    }))
    collection.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
