import { posterSvg } from "../../assets/index.js";
import type { Asset } from "../../storage/database/index.js";
import { escapeXml } from "../../compiler/index.js";
import type { Picture } from "./encode-picture.js";

/** In letters; those of East Asia are as wide as two. */
const ROOM_FOR_NAME = 46;
const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Extended_Pictographic}]/u;

/** What stands for a video where none can play: its name and its length under a play mark. */
export function videoPicture(video: Asset): Picture {
  const { name, details } = video;
  const svg = Buffer.from(
    posterSvg(video, {
      name: escapeXml(fitting(name)),
      note: durationText(details?.["durationSeconds"]),
    }),
  );
  return {
    dataUrl: `data:image/svg+xml;base64,${svg.toString("base64")}`,
    sizeBytes: svg.length,
  };
}

function fitting(name: string): string {
  let room = ROOM_FOR_NAME;
  const letters = Array.from(
    new Intl.Segmenter().segment(name),
    (one) => one.segment,
  );
  const end = letters.findIndex((letter) => {
    room -= WIDE.test(letter) ? 2 : 1;
    return room < 0;
  });
  return end < 0 ? name : `${letters.slice(0, end).join("")}…`;
}

/** `1:02:03` or `2:03`; empty where it is not known. */
function durationText(seconds: unknown): string {
  if (typeof seconds !== "number" || seconds <= 0) return "";
  const whole = Math.max(1, Math.round(seconds));
  const hours = Math.floor(whole / 3600);
  const minutes = Math.floor(whole / 60) % 60;
  const rest = two(whole % 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`;
}

function two(value: number): string {
  return String(value).padStart(2, "0");
}
