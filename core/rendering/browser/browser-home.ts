import { rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { writeCoverage } from "../fonts/characters/font-coverage.js";
import { fontConfiguration } from "../fonts/font-configuration.js";
import { copyFonts, fontsVersion } from "../fonts/font-files.js";
import { browserUser, type BrowserUser } from "./browser-user.js";
import { findInstalledBrowser } from "./installed-browser.js";
import { makeOwnedFolder, removeOrphanedFolders } from "./owned-folder.js";
import {
  makeBrowserFolder,
  makePrivateFolder,
  shareTree,
} from "./private-folder.js";
import { shippedVersion, unpackShippedBrowser } from "./shipped-browser.js";
import { unpackOnce } from "./unpack-once.js";

/** Everything on disk that a browser needs to start. */
export interface BrowserHome {
  executable: string;
  /** Shared libraries for the browser process alone. */
  libraries: string | null;
  /** Our fonts, and what can be printed with them. */
  fonts: string;
  fontConfig: string;
  /** Temporary profiles, one for each running browser. */
  profiles: string;
  user: BrowserUser | null;
}

/**
 * Unpacks browser and fonts into the private folder unless they are there, and clears away what a killed
 * predecessor left. Fast when all is there. Order of browsers: the given one, the shipped one, an installed one.
 * @throws PlatenError `unavailable` when there is no browser at all.
 */
export async function prepareBrowserHome(
  cacheFolder: string,
  executablePath?: string,
): Promise<BrowserHome> {
  const user = browserUser();
  const folder = await makePrivateFolder(resolve(cacheFolder), user);
  await removeOrphanedFolders(folder);
  const profiles = await makeBrowserFolder(join(folder, "profiles"), user);
  await removeOrphanedFolders(profiles);
  const [browser, fonts] = await Promise.all([
    browserFiles(folder, user, executablePath),
    fontFiles(folder, user),
  ]);
  return { ...browser, ...fonts, profiles, user };
}

async function browserFiles(
  folder: string,
  user: BrowserUser | null,
  executablePath: string | undefined,
): Promise<Pick<BrowserHome, "executable" | "libraries">> {
  if (executablePath) return { executable: executablePath, libraries: null };
  const version = await shippedVersion();
  if (version === null)
    return { executable: await findInstalledBrowser(), libraries: null };
  const target = join(folder, `chromium-${version}`);
  await unpackOnce(target, async (draft) => {
    await unpackShippedBrowser(draft);
    await shareTree(draft, user);
  });
  return {
    executable: join(target, "chromium"),
    libraries: join(target, "lib"),
  };
}

/** The configuration names absolute paths, hence is written anew whenever the folder may have moved. */
async function fontFiles(
  folder: string,
  user: BrowserUser | null,
): Promise<Pick<BrowserHome, "fonts" | "fontConfig">> {
  const fonts = join(folder, `fonts-${await fontsVersion()}`);
  await unpackOnce(fonts, async (draft) => {
    await copyFonts(draft);
    await writeCoverage(draft);
    await shareTree(draft, user);
  });
  const cache = await makeBrowserFolder(join(folder, "fontconfig"), user);
  const draft = await makeOwnedFolder(folder, "draft");
  await writeFile(join(draft, "fonts.conf"), fontConfiguration(fonts, cache));
  await shareTree(draft, user);
  const fontConfig = join(folder, "fonts.conf");
  await rename(join(draft, "fonts.conf"), fontConfig);
  await rm(draft, { recursive: true });
  return { fonts, fontConfig };
}
