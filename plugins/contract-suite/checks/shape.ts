import { deepEqual, equal, match, ok } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { validRange } from "semver";
import { PLUGIN_API } from "../../../core/plugin-api/index.js";
import type { SessionCheck } from "../check.js";

export const shapeChecks: readonly SessionCheck[] = [
  {
    title: "meta says what the plugin is and what it runs with",
    run: async ({ plugin: { meta } }) => {
      await Promise.resolve();
      equal(meta.kind, "platform");
      match(meta.id, /^[a-z][a-z0-9-]*$/);
      equal(meta.api, PLUGIN_API);
      ok(validRange(meta.platen), "meta.platen must be a semver range");
      ok(meta.title && meta.version, "title and version must not be empty");
    },
  },
  {
    title: "the credentials' schema is a JSON Schema that the credentials pass",
    run: async ({ plugin: { credentials }, host }) => {
      await Promise.resolve();
      const ajv = new Ajv2020({ strict: false, formats: { uri: true } });
      const check = ajv.compile(credentials.schema);
      check(host.credentials);
      deepEqual(check.errors ?? [], []);
    },
  },
  {
    title: "capabilities are what the plugin can do",
    run: async ({ plugin }) => {
      await Promise.resolve();
      const { attachments, modes, readBack } = plugin.capabilities;
      equal(plugin.writeBack !== undefined, attachments !== "none");
      equal(plugin.readAttachments !== undefined, readBack);
      if (plugin.writeBack) ok(modes.length > 0, "modes must not be empty");
    },
  },
];
