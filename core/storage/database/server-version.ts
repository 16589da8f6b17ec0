import type { Store } from "./store.js";

export interface ServerVersion {
  name: string;
  version: string;
  /** Whether it is at least the oldest that the service works with. */
  isNewEnough: boolean;
}

/** Oldest versions with what the queue's claims need. */
const oldest = {
  sqlite: [3, 35],
  mysql: [8, 0],
  mariadb: [10, 6],
} as const;
const names = { sqlite: "SQLite", mysql: "MySQL", mariadb: "MariaDB" } as const;

/** Which database this is. */
export async function serverVersion({
  dialect,
  read,
}: Pick<Store, "dialect" | "read">): Promise<ServerVersion> {
  const call = dialect === "sqlite" ? "sqlite_version()" : "VERSION()";
  const [row] = await read.query<[{ version: string }]>(
    `SELECT ${call} AS version`,
  );
  const [version = ""] = /^[\d.]+/.exec(row.version) ?? [];
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [leastMajor, leastMinor] = oldest[dialect];
  const isNewEnough =
    major > leastMajor || (major === leastMajor && minor >= leastMinor);
  return { name: names[dialect], version, isNewEnough };
}
