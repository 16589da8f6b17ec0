import { deepEqual, equal, match, ok } from "node:assert/strict";
import { Ajv2020 } from "ajv/dist/2020.js";
import { validRange } from "semver";
import { PLUGIN_API } from "../../../../core/plugin-api/index.js";
import type { EsignCheck } from "../esign-check.js";

export const esignShapeChecks: readonly EsignCheck[] = [
  {
    title: "meta says what the provider is and what it runs with",
    run: async ({ plugin: { meta } }) => {
      await Promise.resolve();
      equal(meta.kind, "esign");
      match(meta.id, /^[a-z][a-z0-9-]*$/);
      equal(meta.api, PLUGIN_API);
      ok(validRange(meta.platen), "meta.platen must be a semver range");
      ok(meta.title && meta.version, "title and version must not be empty");
    },
  },
  {
    title: "the credentials' schema is a JSON Schema that the credentials pass",
    run: async ({ plugin, credentials }) => {
      await Promise.resolve();
      const ajv = new Ajv2020({ strict: false, formats: { uri: true } });
      const check = ajv.compile(plugin.credentials.schema);
      check(credentials);
      deepEqual(check.errors ?? [], []);
    },
  },
  {
    title: "capabilities are what the provider can do",
    run: async ({ plugin, server }) => {
      await Promise.resolve();
      const { cancel, resend, fields, noticeProof } = plugin.capabilities;
      equal(plugin.cancel !== undefined, cancel);
      equal(plugin.resend !== undefined, resend);
      equal(server.notice !== undefined, noticeProof !== "none");
      for (const type of ["signature", "text"] as const)
        ok(fields.includes(type), `it must have fields of the type ${type}`);
    },
  },
];
