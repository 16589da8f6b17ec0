import { constants } from "node:fs";
import { access, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { Finding } from "../cli/services.js";
import type { DoctorContext } from "./doctor.js";

const check = "data folder";
const megabyte = 1024 ** 2;
/** Below the one nothing can be written soon; below the other it is time to think of it. */
const leastMb = 100;
const enoughMb = 1024;

/** Whether it, or where it will be made, can be written and has room. */
export async function checkDataFolder({
  config,
}: DoctorContext): Promise<Finding[]> {
  const { dataFolder } = config;
  const folder = await nearest(dataFolder);
  if (!(await isWritable(folder)))
    return [
      {
        check,
        state: "fail",
        message: `This user cannot write to ${folder}.`,
        fix: `Make the user that runs Platen the owner: chown -R USER ${folder}`,
      },
    ];
  const { bavail, bsize } = await statfs(folder);
  const freeMb = Math.floor((bavail * bsize) / megabyte);
  const isMade = folder === dataFolder;
  const what = isMade ? "is writable" : "will be created at the first start";
  return [
    {
      check,
      state: freeMb < leastMb ? "fail" : freeMb < enoughMb ? "warn" : "ok",
      message: `${dataFolder} ${what}, ${freeMb} MB free`,
      fix: freeMb < enoughMb ? "Free up space on this disk." : null,
    },
  ];
}

/** The folder, or the nearest one above it that is there. */
async function nearest(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => null);
  const above = dirname(folder);
  return found !== null || above === folder ? folder : nearest(above);
}

async function isWritable(folder: string): Promise<boolean> {
  try {
    await access(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
