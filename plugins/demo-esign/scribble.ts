import { createHash } from "node:crypto";

/** A curve that looks like a signature, 100 wide and 30 high; the same name has the same one. */
export function scribble(name: string): string {
  const bytes = createHash("sha256").update(name).digest();
  const at = (place: number, most: number) =>
    ((bytes[place % bytes.length] ?? 0) / 255) * most;
  const strokes = Array.from({ length: 6 }, (_, stroke) => {
    const right = 6 + stroke * 16;
    const place = stroke * 5;
    const first = `${right + at(place, 8)} ${at(place + 1, 30)}`;
    const second = `${right + 8 + at(place + 2, 8)} ${at(place + 3, 30)}`;
    return `C ${first} ${second} ${right + 12} ${8 + at(place + 4, 14)}`;
  });
  return `M 2 ${10 + at(31, 12)} ${strokes.join(" ")}`;
}
