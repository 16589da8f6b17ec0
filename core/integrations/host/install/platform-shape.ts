import { z } from "zod";
import type { PlatformPlugin } from "../../../plugin-api/index.js";
import { callableShape, firstFault, method } from "./callable-shape.js";

const capabilities = z.object({
  links: z.boolean(),
  attachments: z.enum(["native", "link-cell", "none"]),
  modes: z.array(z.enum(["append", "replace"])),
  maxFileBytes: z.number().nonnegative(),
  maxIdsPerFetch: z.number().int().positive(),
  keepsFilename: z.boolean(),
  readBack: z.boolean(),
  needsPublicUrl: z.boolean().optional(),
});

const platform = z.object({
  ...callableShape("platform"),
  capabilities,
  describe: method,
  fetchRows: method,
  listBases: method.optional(),
  findRows: method.optional(),
  writeBack: method.optional(),
  readAttachments: method.optional(),
  toRootData: method.optional(),
});

/** @throws Error that says, in words for its author, why this is not the platform plugin `id`. */
export function asPlatform(value: unknown, id: string): PlatformPlugin {
  if (value === undefined || value === null)
    throw new Error("its module exports no `plugin`");
  if (!isPlatform(value)) throw new Error(firstFault(platform, value));
  const fault = contradiction(value, id);
  if (fault === null) return value;
  throw new Error(fault);
}

function isPlatform(value: unknown): value is PlatformPlugin {
  return platform.safeParse(value).success;
}

/** What its parts say against each other. */
function contradiction(plugin: PlatformPlugin, id: string): string | null {
  const { attachments, readBack } = plugin.capabilities;
  if (plugin.meta.id !== id)
    return `it calls itself "${plugin.meta.id}" where it was found as "${id}"`;
  if (attachments !== "none" && !plugin.writeBack)
    return "it says that it writes attachments, and has no writeBack";
  if (readBack && !plugin.readAttachments)
    return "it says that it reads back, and has no readAttachments";
  return null;
}
