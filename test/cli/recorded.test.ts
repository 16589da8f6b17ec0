import { createHash } from "node:crypto";
import { readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { newCaller } from "../support/caller.js";
import { useFixedTime } from "../support/clock.js";
import { createNames, replayEach } from "../support/replays.js";
import { useService } from "../support/service.js";
import { cliOn } from "../support/store-cli.js";
import { suiteFolder } from "../support/store-folder.js";
import { commitAll, readFiles, writeFiles } from "../support/template-files.js";

// Each section of a file has a data folder and a database of its own, and an organization of a service at URL:
//   $ ARGUMENTS < TEXT    a command, with what it reads on stdin; below it what it prints, on stderr after "! ", and its exit
//                         code after "= " unless it is 0; a variable may stand before it, as "KEY=x"; else KEY
//                         is the organization's key, $KEY
//   @NAME TEXT            a file in the working folder, from there on; ⏎ is a line break
//   -NAME                 the file is deleted
//   ? NAME                below it the text of a file, or the files of a folder, each with the number of its content
//   > METHOD PATH BODY    a request to the service, with some fields of its answer
//   git NAME SUBJECT      all files of the folder are committed
// Ids are numbered in the order in which they appear, and a time is that of the command with this number.

const numbers =
  (contents: string[]) =>
  (content = "") => {
    const hash = createHash("sha256").update(content).digest("hex");
    if (!contents.includes(hash)) contents.push(hash);
    return `#${contents.indexOf(hash) + 1}`;
  };

const fields =
  "data id name version description isTrashed definition components text src sample samples number long".split(
    " ",
  );

describe("commands", () => {
  const time = useFixedTime(new Date("2030-01-01T10:00:00Z"));
  const service = useService();
  const home = suiteFolder();
  let count = 0;

  async function replay(section: string): Promise<string> {
    count += 1;
    const folder = join(home, `work-${count}`);
    writeFiles(folder, { "platen.txt": "" });
    rmSync(join(folder, "platen.txt"));
    const { key, ...caller } = await newCaller(service);
    const begin = time.now();
    const { hide, show } = createNames(begin, [
      [caller.organizationId, "organization"],
      [caller.userId, "user"],
    ]);
    const number = numbers([]);
    const day = new Date(begin).toISOString().slice(0, 10);
    const print = (text: string, mark: string) =>
      hide(text.replaceAll(folder, "FOLDER").replaceAll(service.url, "URL"))
        .replaceAll(/(plk|whsec)_[\w+/=-]+/g, "$1_secret")
        .replaceAll(/(?<=\()\d+(?= bytes\))/g, "N")
        .replaceAll(/(?<="sizeBytes":)\d+/g, "N")
        .replaceAll(/(?<=\()[\da-f]{7,}(?=\))/g, "commit")
        .replaceAll(new RegExp(`${day}[ T][\\d:.]+Z?`, "g"), "NOW")
        .replaceAll(`"${day.slice(0, 4)}"`, '"YEAR"')
        .split("\n")
        .flatMap((line, at, all) =>
          line === "" && at === all.length - 1 ? [] : [`${mark} ${line}`],
        );
    const read = async (name: string) => {
      const path = join(folder, name);
      if (!statSync(path).isDirectory()) return readFileSync(path, "utf8");
      const files = await readFiles(path);
      const list = Object.keys(files).toSorted();
      return list.map((one) => `${one} ${number(files[one])}\n`).join("");
    };
    const request = async (method = "", path = "", body = "") => {
      const response = await fetch(service.url + show(path), {
        method,
        headers: { "x-api-key": key, "content-type": "application/json" },
        ...(body && { body: show(body) }),
      });
      return `${response.status} ${JSON.stringify(await response.json(), fields)}\n`;
    };
    const lines: string[] = [];
    for (const line of section.split("\n")) {
      if (/^(?:[#@$?>-]|git )|^$/.test(line)) lines.push(line);
      const [, name, text = ""] = /^@(\S+) (.*)$/.exec(line) ?? [];
      const filled = show(text).replaceAll("⏎", "\n");
      if (name)
        writeFiles(folder, { [name]: filled.replaceAll("URL", service.url) });
      if (line.startsWith("-")) rmSync(join(folder, line.slice(1)));
      const [, place] = /^\? (.*)/.exec(line) ?? [];
      if (place) lines.push(...print(await read(place), " "));
      const [, repository, subject = ""] = /^git (\S+) (.*)/.exec(line) ?? [];
      if (repository) commitAll(join(folder, repository), subject);
      const [, ...parts] = /^> (\S+) (\S+)(?: (.*))?$/.exec(line) ?? [];
      if (parts.length > 0) {
        time.advance(1000);
        lines.push(...print(await request(...parts), " "));
      }
      const [, env = "", command, input = ""] =
        /^\$ ((?:\w+=\S* )?)(.*?)(?: < (.*))?$/.exec(line) ?? [];
      if (command === undefined) continue;
      time.advance(1000);
      const words = show(command)
        .replaceAll("URL", service.url)
        .match(/"[^"]*"|\S+/g);
      const [variable = "KEY", value = "$KEY"] = env.trim().split("=");
      const run = cliOn(
        join(home, `data-${count}`),
        { [variable || "KEY"]: value.replace("$KEY", key) },
        { folder, input },
      );
      const { code, stdout, stderr } = await run(
        ...(words ?? []).map((word) => word.replace(/^"(.*)"$/, "$1")),
      );
      lines.push(...print(stdout, " "), ...print(stderr, "!"));
      if (code !== 0) lines.push(`= ${code}`);
    }
    return lines.join("\n");
  }

  replayEach(new URL("recorded/", import.meta.url), replay);
});
