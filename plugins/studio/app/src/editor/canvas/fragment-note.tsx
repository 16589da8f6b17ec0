import { AcrossPlace } from "./across-place.js";
import type { Look } from "./look.js";
import type { Place } from "./place.js";

interface FragmentNoteProps {
  look: Look;
  place: Place;
}

/** A group has no element in print, so that its tab hangs on one without height before its first child. */
export function FragmentNote({ look, place }: FragmentNoteProps) {
  const { "data-note": note, "data-note-kind": kind } = look;
  if (note === undefined) return null;
  return (
    <AcrossPlace place={place}>
      <div class="note-holder" data-note={note} data-note-kind={kind} />
    </AcrossPlace>
  );
}
