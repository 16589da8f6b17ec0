import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { operator } from "../../core/accounts/index.js";
import type { AssetView } from "../../core/assets/index.js";
import {
  readCharacterMap,
  writeCharacterMap,
  readTables,
  writeTables,
} from "../../core/rendering/fonts/open-type.js";
import { getPackageInfo } from "../../core/lib/package-info.js";
import * as tokens from "../../core/app/tokens.js";
import type { TestCaller } from "./caller.js";
import type { TestService } from "./service.js";

/** A face that the service ships under another name, and so draws in letters that can be told apart. */
export function greatVibes(): Promise<Buffer> {
  return readFile(
    join(getPackageInfo().folder, "fonts/great-vibes/400Regular.ttf"),
  );
}

function utf16(text: string): string {
  return Buffer.from(text, "utf16le").swap16().toString("latin1");
}

/** The same font under a name of the same length that nothing else has. */
export async function renamedFont(name = "Acme Hands"): Promise<Buffer> {
  const bytes = (await greatVibes()).toString("latin1");
  const renamed = bytes
    .replaceAll("Great Vibes", name.padEnd(11))
    .replaceAll(utf16("Great Vibes"), utf16(name.padEnd(11)));
  return Buffer.from(renamed, "latin1");
}

/** Adds a font or a picture to a caller's organization. */
export function addAsset(
  service: TestService,
  caller: TestCaller,
  name: string,
  bytes: Uint8Array,
): Promise<AssetView> {
  const { uploads } = service.container.resolve(tokens.ASSETS);
  return uploads.fromBytes(caller, { name, actor: operator, bytes });
}

/** The same, in which a character that no shipped font has (U+E041) looks like an A. */
export async function shiftedFont(): Promise<Buffer> {
  const font = await renamedFont();
  const tables = readTables(font);
  const characters = readCharacterMap(tables.get("cmap") ?? Buffer.alloc(0));
  characters.set(0xe041, characters.get(0x41) ?? 0);
  tables.set("cmap", writeCharacterMap(characters));
  return writeTables(font, tables);
}
