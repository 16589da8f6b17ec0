import { join } from "node:path";
import { parseConfig } from "../../config/index.js";
import { createContainer } from "../../core/app/modules.js";
import { LocalFileStore } from "../../core/storage/files/index.js";
import { getPackageInfo } from "../../core/lib/package-info.js";
import {
  type DatabaseLocation,
  openStore,
} from "../../core/storage/database/index.js";
import * as tokens from "../../core/app/tokens.js";
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
container.register(tokens.CONFIG, { useValue: { ...config, database } });
container.register(tokens.LOG, { useValue: silentLog });
container.register(tokens.PACKAGE, { useValue: getPackageInfo() });
container.register(tokens.STORE, { useValue: store });
container.register(tokens.FILE_STORE, {
  useValue: new LocalFileStore(join(dataFolder, "files")),
});
container.register(tokens.SECRET, { useValue: secret });
container.register(tokens.BASE_URL, { useValue: "http://127.0.0.1:1" });

container.resolve(tokens.SIGNATURE_WORKER).register();
await container.resolve(tokens.QUEUE).start();
console.log("ready");
