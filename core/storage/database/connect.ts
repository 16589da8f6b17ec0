import type { DataSource } from "typeorm";
import { PlatenError } from "../../plugin-api/index.js";
import { whileBusy } from "./while-busy.js";

/** Initializes a data source. @throws PlatenError `unavailable`, with what to look at. */
export async function connect(
  dataSource: DataSource,
  place: string,
): Promise<DataSource> {
  return orUnavailable(place, () => whileBusy(() => dataSource.initialize()));
}

/** Whether the server is MySQL or MariaDB: as `mysql`, TypeORM would see MariaDB's tables as changed. */
export async function dialectOf(url: string): Promise<"mysql" | "mariadb"> {
  return orUnavailable(placeOf(url), async () => {
    const { createConnection } = await import("mysql2/promise");
    const connection = await createConnection(url);
    const [rows] = await connection.query("SELECT VERSION() AS version");
    await connection.end();
    return /mariadb/i.test(JSON.stringify(rows)) ? "mariadb" : "mysql";
  });
}

/** Host, port and database of a URL, without its password. */
export function placeOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

async function orUnavailable<T>(
  place: string,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open();
  } catch (cause) {
    if (cause instanceof PlatenError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new PlatenError(
      "unavailable",
      `The database ${place} cannot be opened: ${reason}. ` +
        "Check PLATEN_DATABASE_URL and PLATEN_DATA, and that the server runs and the account may use it.",
      { cause },
    );
  }
}
