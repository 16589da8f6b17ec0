import { createHash } from "node:crypto";

/** A smooth curve that looks like a signature, 104 wide and 30 high; the same name has the same one. */
export function scribble(name: string): string {
  const bytes = createHash("sha256").update(name).digest();
  const part = (place: number) => (bytes[place % bytes.length] ?? 0) / 255;
  const strokes = Array.from({ length: 7 }, (_, stroke) => {
    const right = 14 + stroke * 13;
    const isUp = stroke % 2 === 0;
    const pull = isUp ? -6 + part(stroke) * 10 : 20 + part(stroke) * 14;
    const end = isUp ? 6 + part(stroke + 9) * 9 : 15 + part(stroke + 9) * 9;
    const back = right + 2 + part(stroke + 18) * 9;
    return `S ${back} ${pull} ${right + 4} ${end}`;
  });
  return `M 2 ${16 + part(30) * 6} C 4 4 10 2 12 12 ${strokes.join(" ")}`;
}
