import { createReadStream, createWriteStream } from "node:fs";
import {
  rename,
  rm,
  writeFile,
  readFile,
  access,
  mkdtemp,
  readdir,
  chmod,
  chown,
  mkdir,
  stat,
} from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve, dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createBrotliDecompress } from "node:zlib";
import tar from "tar-fs";
import { PlatenError } from "../../plugin-api/index.js";
import { writeBoxFonts } from "../fonts/box-font.js";
import { writeCoverage } from "../fonts/character-set.js";
import {
  createFontConfiguration,
  copyFonts,
  getFontsVersion,
} from "../fonts/font-files.js";
import { processStart } from "./process-tree.js";

/** The files that a browser needs to start. */
export interface BrowserInstallation {
  executable: string;
  /** Shared libraries for the browser process alone. */
  libraries: string | null;
  /** The folder of our fonts and the characters they cover. */
  fonts: string;
  fontConfig: string;
  /** Temporary profiles, one for each running browser. */
  profiles: string;
  user: BrowserUser | null;
}

/**
 * Unpacks browser and fonts into the private folder unless they exist, and removes what a killed process left behind.
 * Fast when nothing is missing. Order of browsers: the configured one, the bundled one, an installed one.
 * @throws PlatenError `unavailable` when no browser is found.
 */
export async function installBrowser(
  cacheFolder: string,
  executablePath?: string,
): Promise<BrowserInstallation> {
  const user = browserUser();
  const folder = await makePrivateFolder(resolve(cacheFolder), user);
  await removeOrphanedFolders(folder);
  const profiles = await makeBrowserFolder(join(folder, "profiles"), user);
  await removeOrphanedFolders(profiles);
  const [browser, fonts] = await Promise.all([
    installChromium(folder, user, executablePath),
    installFonts(folder, user),
  ]);
  return { ...browser, ...fonts, profiles, user };
}

async function installChromium(
  folder: string,
  user: BrowserUser | null,
  executablePath: string | undefined,
): Promise<Pick<BrowserInstallation, "executable" | "libraries">> {
  if (executablePath) return { executable: executablePath, libraries: null };
  const version = await getBundledVersion();
  if (version === null)
    return { executable: await findInstalledBrowser(), libraries: null };
  const target = join(folder, `chromium-${version}`);
  await unpackOnce(target, async (draft) => {
    await unpackBundledBrowser(draft);
    await shareTree(draft, user);
  });
  return {
    executable: join(target, "chromium"),
    libraries: join(target, "lib"),
  };
}

/** The configuration contains absolute paths, so it is rewritten at every start: the folder may have moved. */
async function installFonts(
  folder: string,
  user: BrowserUser | null,
): Promise<Pick<BrowserInstallation, "fonts" | "fontConfig">> {
  const fonts = join(folder, `fonts-${await getFontsVersion()}`);
  await unpackOnce(fonts, async (draft) => {
    await copyFonts(draft);
    await writeBoxFonts(draft, await writeCoverage(draft));
    await shareTree(draft, user);
  });
  const cache = await makeBrowserFolder(join(folder, "fontconfig"), user);
  const draft = await makeOwnedFolder(folder, "draft");
  await writeFile(
    join(draft, "fonts.conf"),
    createFontConfiguration(fonts, cache),
  );
  await shareTree(draft, user);
  const fontConfig = join(folder, "fonts.conf");
  await rename(join(draft, "fonts.conf"), fontConfig);
  await rm(draft, { recursive: true });
  return { fonts, fontConfig };
}

const require = createRequire(import.meta.url);
const PACKAGE = "@sparticuz/chromium";

/** The version of the bundled browser; null where its binary cannot run. */
async function getBundledVersion(): Promise<string | null> {
  if (process.platform !== "linux" || process.arch !== "x64") return null;
  const text = await readFile(join(getPackageFolder(), "package.json"), "utf8");
  const { version }: { version: string } = JSON.parse(text);
  return version;
}

/** Unpacks the headless shell and the shared libraries that minimal systems lack. */
async function unpackBundledBrowser(folder: string): Promise<void> {
  const packed = join(getPackageFolder(), "bin");
  await Promise.all([
    pipeline(
      createReadStream(join(packed, "chromium.br")),
      createBrotliDecompress(),
      createWriteStream(join(folder, "chromium"), { mode: 0o755 }),
    ),
    pipeline(
      createReadStream(join(packed, "al2023.tar.br")),
      createBrotliDecompress(),
      tar.extract(folder),
    ),
  ]);
}

/** Derived from the main file, `build/index.js`, since the package exports nothing else. */
function getPackageFolder(): string {
  return join(dirname(require.resolve(PACKAGE)), "..");
}

/** Fastest first: a headless shell prints faster than a full browser. */
const INSTALLED = [
  "/usr/bin/chromium-headless-shell",
  "/usr/lib/chromium/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/opt/google/chrome/chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** @throws PlatenError `unavailable` when none is installed. */
async function findInstalledBrowser(): Promise<string> {
  for (const path of INSTALLED) if (await exists(path)) return path;
  throw new PlatenError(
    "unavailable",
    "No browser was found: the bundled one runs only on 64-bit Intel Linux. " +
      "Install Chromium (Debian: apt-get install chromium-headless-shell) " +
      "or set PUPPETEER_EXECUTABLE_PATH to an installed one.",
  );
}

/**
 * Fills a folder exactly once, also when several processes try concurrently or one is killed midway: it is filled under
 * a temporary name and then renamed, so an existing folder is complete.
 */
async function unpackOnce(
  target: string,
  fill: (draft: string) => Promise<void>,
): Promise<void> {
  if (await exists(target)) return;
  const draft = await makeOwnedFolder(dirname(target), "draft");
  try {
    await fill(draft);
    await rename(draft, target);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!(await exists(target))) throw error;
  }
}

export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/**
 * Creates a temporary folder whose name identifies its process (`kind-pid-start-random`), so that the next process can
 * tell what a killed process left behind from what is in use.
 */
export async function makeOwnedFolder(
  parent: string,
  kind: string,
): Promise<string> {
  const start = (await processStart(process.pid)) ?? "0";
  return mkdtemp(join(parent, `${kind}-${process.pid}-${start}-`));
}

async function removeOrphanedFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const [, pid, start] = name.match(/^[a-z]+-(\d+)-(\d+)-/) ?? [];
    if (pid === undefined) continue;
    if ((await processStart(Number(pid))) === start) continue;
    await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** Used by root when the browser's user cannot enter the preferred folder. */
const SYSTEM_CACHE = "/var/cache/platen";

/**
 * Creates a folder that only this process and the browser's user can enter. The browser's user can read but not write
 * there, so that a page that escapes its sandbox cannot change the program that prints the next one.
 */
export async function makePrivateFolder(
  wanted: string,
  user: BrowserUser | null,
): Promise<string> {
  await mkdir(dirname(wanted), { recursive: true });
  const isReachable = user === null || (await canBeEnteredBy(wanted, user));
  const folder = isReachable ? wanted : SYSTEM_CACHE;
  await mkdir(folder, { recursive: true });
  if (user) await chown(folder, 0, user.gid);
  await chmod(folder, user ? 0o750 : 0o700);
  return folder;
}

/** Creates a folder that is owned by the browser's user. */
async function makeBrowserFolder(
  folder: string,
  user: BrowserUser | null,
): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (user) await chown(folder, user.uid, user.gid);
  return folder;
}

/** Lets the browser's user read and execute everything below a folder, whatever the umask was. */
async function shareTree(
  folder: string,
  user: BrowserUser | null,
): Promise<void> {
  if (!user) return;
  const entries = await readdir(folder, { recursive: true });
  for (const path of [folder, ...entries.map((name) => join(folder, name))]) {
    await chown(path, 0, user.gid);
    await chmod(path, 0o750);
  }
}

/** The user that runs Chromium, when it is not the current one. */
interface BrowserUser {
  uid: number;
  gid: number;
}

/**
 * A user id that neither distributions nor systemd assign, so that no other service shares it. It needs no entry in
 * /etc/passwd.
 */
const UNPRIVILEGED: BrowserUser = { uid: 61111, gid: 61111 };

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Root runs the browser as an unprivileged user; any other user can only run it as itself. */
export function browserUser(): BrowserUser | null {
  return isRoot() ? UNPRIVILEGED : null;
}

/** Whether the user can enter every folder above `folder`. */
async function canBeEnteredBy(
  folder: string,
  user: BrowserUser,
): Promise<boolean> {
  const parent = dirname(folder);
  const { mode, uid, gid } = await stat(parent);
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  return parent === folder || parent === "/" || canBeEnteredBy(parent, user);
}
