import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe } from "mocha";
import { useFixedTime } from "../support/clock.js";
import { createNames, replayEach } from "../support/replays.js";
import { cliOn } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";

// Each section of a file has a data folder and a database of its own:
//   $ ARGUMENTS < TEXT    a command, with what it reads on stdin; below it what it prints, on stderr after "! ", and its exit
//                         code after "= " unless it is 0
//   @NAME TEXT            a file in the working folder, from there on
// Ids are numbered in the order in which they appear, and a time is that of the command with this number.

describe("commands", () => {
  const time = useFixedTime();
  const home = suiteFolder();
  let count = 0;

  async function replay(section: string): Promise<string> {
    count += 1;
    const folder = join(home, `work-${count}`);
    mkdirSync(folder);
    const begin = time.now();
    const { hide, show } = createNames(begin, []);
    const day = new Date(begin).toISOString().slice(0, 10);
    const print = (text: string, mark: string) =>
      hide(text.replaceAll(folder, "FOLDER"))
        .replaceAll(/(plk|whsec)_[\w+/=-]+/g, "$1_secret")
        .replaceAll(/(?<=\()\d+(?= bytes\))/g, "N")
        .replaceAll(/(?<="sizeBytes":)\d+/g, "N")
        .replaceAll(new RegExp(`${day} \\d\\d:\\d\\d`, "g"), "NOW")
        .replaceAll(`"${day.slice(0, 4)}"`, '"YEAR"')
        .split("\n")
        .flatMap((line, at, all) =>
          line === "" && at === all.length - 1 ? [] : [`${mark} ${line}`],
        );
    const lines: string[] = [];
    for (const line of section.split("\n")) {
      if (/^[#@$]|^$/.test(line)) lines.push(line);
      const [, name, text = ""] = /^@(\S+) (.*)$/.exec(line) ?? [];
      if (name) writeFileSync(join(folder, name), show(text));
      const [, command, input = ""] = /^\$ (.*?)(?: < (.*))?$/.exec(line) ?? [];
      if (command === undefined) continue;
      time.advance(1000);
      const words = show(command).match(/"[^"]*"|\S+/g) ?? [];
      const run = cliOn(join(home, `data-${count}`), {}, { folder, input });
      const { code, stdout, stderr } = await run(
        ...words.map((word) => word.replace(/^"(.*)"$/, "$1")),
      );
      lines.push(...print(stdout, " "), ...print(stderr, "!"));
      if (code !== 0) lines.push(`= ${code}`);
    }
    return lines.join("\n");
  }

  replayEach(new URL("recorded/", import.meta.url), replay);
});
