import { join } from "node:path";
import { parseConfig } from "../../config/index.js";
import { createContainer } from "../../core/app/entry-points.js";
import { LocalFileStore } from "../../core/storage/files/index.js";
import { getPackageInfo } from "../../core/lib/package-info.js";
import {
  type DatabaseLocation,
  openStore,
  STORE,
} from "../../core/storage/database/index.js";
import {
  BASE_URL,
  CONFIG,
  FILE_STORE,
  LOG,
  PACKAGE,
  SECRET,
} from "../../core/lib/process-values.js";
import { QUEUE } from "../../core/queue/index.js";
import { SignatureWorker } from "../../core/signatures/index.js";
import { silentLog } from "./recording-log.js";

// A worker of its own that starts and watches requests, and does nothing else; it needs no browser.

export interface EsignProcessOptions {
  database: DatabaseLocation;
  dataFolder: string;
  secret: string;
  variables: Record<string, string>;
}

const given: EsignProcessOptions = JSON.parse(process.argv[2] ?? "");
const { database, dataFolder, secret, variables } = given;
const config = parseConfig({ PLATEN_DATA: dataFolder, ...variables });
const store = await openStore({ database, migrate: true, log: silentLog });
const container = createContainer();
container.register(CONFIG, { useValue: { ...config, database } });
container.register(LOG, { useValue: silentLog });
container.register(PACKAGE, { useValue: getPackageInfo() });
container.register(STORE, { useValue: store });
container.register(FILE_STORE, {
  useValue: new LocalFileStore(join(dataFolder, "files")),
});
container.register(SECRET, { useValue: secret });
container.register(BASE_URL, { useValue: "http://127.0.0.1:1" });

container.resolve(SignatureWorker).register();
await container.resolve(QUEUE).start();
console.log("ready");
