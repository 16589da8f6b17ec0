import {
  type FieldInfo,
  type FieldKind,
  type PlatformCapabilities,
  PLUGIN_API,
  type TableInfo,
} from "../../../core/plugin-api/index.js";

export interface CrateCredentials {
  url: string;
  token: string;
}

export const crateMeta = {
  kind: "platform" as const,
  id: "crate",
  title: "Crate",
  version: "1.0.0",
  api: PLUGIN_API,
  platen: ">=0.1.0",
};

export const crateSchema = {
  type: "object",
  properties: {
    url: { type: "string" },
    token: { type: "string", writeOnly: true },
  },
};

export const crateCapabilities: PlatformCapabilities = {
  links: true,
  attachments: "native",
  modes: ["append", "replace"],
  maxFileBytes: 1e6,
  maxIdsPerFetch: 50,
  keepsFilename: true,
  readBack: true,
};

export const crateTable: TableInfo = {
  id: "boxes",
  name: "Boxes",
  fields: [
    field("label", "text"),
    { ...field("inside", "link"), link: { tableId: "boxes", many: true } },
    field("papers", "attachment"),
  ],
};

function field(id: string, kind: FieldKind): FieldInfo {
  return { id, name: id, kind, native: kind, writable: true };
}
