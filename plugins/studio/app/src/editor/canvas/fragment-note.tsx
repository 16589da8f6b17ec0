import { AcrossPlace } from "./across-place.js";
import type { Place } from "./place.js";

interface FragmentNoteProps {
  note: string | undefined;
  place: Place;
}

/** A group has no element in print, so that its tab hangs on one without height before its first child. */
export function FragmentNote({ note, place }: FragmentNoteProps) {
  if (note === undefined) return null;
  return (
    <AcrossPlace place={place}>
      <div class="note-holder" data-note={note} />
    </AcrossPlace>
  );
}
