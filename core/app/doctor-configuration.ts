import { type Config, parseConfig } from "../../config/index.js";
import type { Finding } from "../cli/services.js";
import { errorText } from "../plugin-api/index.js";

const check = "configuration";

/** Variables that are odd, or that do not fit together. */
export function checkConfiguration(config: Config): Finding[] {
  const findings = [
    ...config.warnings.map((message) => warning(message, null)),
    ...baseUrlFindings(config),
  ];
  if (findings.length > 0) return findings;
  return [{ check, state: "ok", message: "valid", fix: null }];
}

/** Of a configuration that cannot be used at all; null: it can. */
export function unusable(
  env: Readonly<Record<string, string | undefined>>,
): Finding | null {
  try {
    parseConfig(env);
    return null;
  } catch (error) {
    const fix = "Correct these variables; config/example.env explains each.";
    return { check, state: "fail", message: errorText(error), fix };
  }
}

function baseUrlFindings({ baseUrl, host }: Config): Finding[] {
  const isLocal = ["127.0.0.1", "localhost", "::1"].includes(host);
  if (baseUrl !== null || isLocal) return [];
  return [
    warning(
      "Other machines can reach the service, but its links contain an address that works on this machine only.",
      "Set PLATEN_BASE_URL to the URL at which callers reach the service.",
    ),
  ];
}

function warning(message: string, fix: string | null): Finding {
  return { check, state: "warn", message, fix };
}
