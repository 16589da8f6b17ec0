import { stat } from "node:fs/promises";
import { dirname } from "node:path";

/** Whom Chromium runs as, when that is not ourselves. */
export interface BrowserUser {
  uid: number;
  gid: number;
}

/**
 * A user id that no distribution gives out and systemd leaves unused, so that no other service shares it. It needs
 * no entry in /etc/passwd.
 */
const UNPRIVILEGED: BrowserUser = { uid: 61111, gid: 61111 };

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Root never runs a browser as itself; everybody else can only run it as themselves. */
export function browserUser(): BrowserUser | null {
  return isRoot() ? UNPRIVILEGED : null;
}

/** True when the user may enter every folder above `folder`. */
export async function canReach(
  folder: string,
  user: BrowserUser,
): Promise<boolean> {
  const parent = dirname(folder);
  const { mode, uid, gid } = await stat(parent);
  const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  if ((mode & bit) === 0) return false;
  return parent === folder || parent === "/" || canReach(parent, user);
}
