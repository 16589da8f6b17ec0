import { stat } from "node:fs/promises";
import { join } from "node:path";
import { loadSecret } from "../../config/index.js";
import type { Finding } from "../cli/services.js";
import type { DoctorContext } from "./doctor.js";

const check = "secret";
const othersBits = 0o077;

/** Whether there is a secret that others cannot read. Makes none. */
export async function checkSecret({
  config,
}: DoctorContext): Promise<Finding[]> {
  if (config.secret !== null)
    return [{ check, state: "ok", message: "PLATEN_SECRET", fix: null }];
  const file = join(config.dataFolder, "secret");
  const found = await stat(file).catch(() => null);
  if (found === null)
    return [
      {
        check,
        state: "ok",
        message: `${file} will be created at the first start`,
        fix: null,
      },
    ];
  await loadSecret(config);
  const isOpen = (found.mode & othersBits) !== 0;
  return [
    {
      check,
      state: isOpen ? "warn" : "ok",
      message: isOpen ? `Other users can read ${file}.` : file,
      fix: isOpen ? `chmod 600 ${file}` : null,
    },
  ];
}
