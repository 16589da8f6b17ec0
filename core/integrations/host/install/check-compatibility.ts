import semver from "semver";
import { PLUGIN_API } from "../../../plugin-api/index.js";
import { CALLABLE_KINDS, isCallable } from "../callable-plugins.js";
import type { PackageFile } from "./package-file.js";

/** Why a plugin cannot run with this version of Platen, by what its package.json says; null when it can. */
export function incompatibility(
  { platen: { kind, api, platen: range } }: PackageFile,
  platenVersion: string,
): string | null {
  if (!isCallable(kind))
    return `It is of the kind "${kind}", and only platforms and e-signature providers ("${CALLABLE_KINDS.join('", "')}") can be installed. Remove it.`;
  if (api !== PLUGIN_API)
    return api > PLUGIN_API
      ? `It is written for version ${api} of the plugin contract, and this Platen has version ${PLUGIN_API}. Update Platen.`
      : `It is written for version ${api} of the plugin contract, and this Platen has version ${PLUGIN_API}. Update the plugin.`;
  if (semver.validRange(range) === null)
    return `Its package.json says platen.platen: "${range}", which is no semver range. Tell its author.`;
  const options = { includePrerelease: true };
  if (semver.satisfies(platenVersion, range, options)) return null;
  const what = `It runs with Platen ${range}, and this is ${platenVersion}.`;
  const isOld = semver.gtr(platenVersion, range, options);
  return `${what} Update ${isOld ? "the plugin" : "Platen"}.`;
}
