import { Deadline } from "../../core/plugin-api/index.js";
import { createRenderer } from "../../core/rendering/index.js";
import { endlessLayout } from "./large-documents.js";
import { silentLog } from "./recording-log.js";

// A process of its own that prints, to be killed in the middle of it: says so, then prints what never ends.

const [cacheFolder = ""] = process.argv.slice(2);
const renderer = createRenderer({ cacheFolder, pages: 1, log: silentLog });
await renderer.start();
const endless = renderer.pdf({
  html: endlessLayout(),
  deadline: Deadline.after(60_000),
});
console.log("printing");
await endless;
