import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import core from "@jsreport/jsreport-core";
import express from "@jsreport/jsreport-express";
import handlebars from "@jsreport/jsreport-handlebars";

// jsreport as a server with the invoice as its template, in html. It answers with its port. Code of templates is
// trusted and the helpers are loaded as a module, once for each worker, so that no time is lost to a sandbox.

const server = core({
  httpPort: 0,
  logger: { silent: true },
  trustUserCode: true,
  useExtensionsLocationCache: false,
  autoTempCleanup: false,
  workers: { numberOfWorkers: availableParallelism() },
  store: { provider: "memory" },
  blobStorage: { provider: "memory" },
  discover: false,
});
server.use(express());
server.use(handlebars());
await server.init();
const helpers = fileURLToPath(new URL("helpers.cjs", import.meta.url));
await server.documentStore.collection("templates").insert({
  name: "invoice",
  content: readFileSync(new URL("invoice.hbs", import.meta.url), "utf8"),
  helpers: `
    const helpers = require(${JSON.stringify(helpers)});
    function day(value) { return helpers.day(value); }
    function decimal(value) { return helpers.decimal(value); }
    function money(value) { return helpers.money(value); }`,
  engine: "handlebars",
  recipe: "html",
});
process.send(server.express.server.address().port);
