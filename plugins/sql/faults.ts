import {
  PlatformError,
  type PlatformErrorCode,
} from "../../core/plugin-api/index.js";

type Meaning = readonly [PlatformErrorCode, string];

const auth: Meaning = [
  "auth",
  "The database does not know this user with this password.",
];
const forbidden: Meaning = [
  "forbidden",
  "The database's user lacks a right for this: SELECT on the tables, and UPDATE where files are written.",
];
const noDatabase: Meaning = [
  "bad_config",
  "There is no database of this name, or no SQLite database in this file.",
];
const busy: Meaning = [
  "conflict",
  "Others hold what was to be read or written.",
];
const tooLarge: Meaning = [
  "too_large",
  "The column is too short for what was to be written.",
];
const readOnly: Meaning = [
  "unsupported",
  "The database may only be read by this user.",
];
const untrusted: Meaning = [
  "bad_config",
  "The database's certificate is not trusted, or is for another name. Name the server as its certificate does, and set `ca` when its authority is not a public one.",
];
const noTls: Meaning = [
  "bad_config",
  "The database does not offer encrypted connections. Switch them on there, or set `tls` to false.",
];
const slow: Meaning = ["unavailable", "The database took too long."];

/** By the driver's own code: names of MySQL and SQLite, SQLSTATE of PostgreSQL. */
const meanings: Readonly<Record<string, Meaning>> = {
  ER_ACCESS_DENIED_ERROR: auth,
  "28P01": auth,
  "28000": auth,
  ER_DBACCESS_DENIED_ERROR: forbidden,
  ER_TABLEACCESS_DENIED_ERROR: forbidden,
  ER_COLUMNACCESS_DENIED_ERROR: forbidden,
  "42501": forbidden,
  ER_BAD_DB_ERROR: noDatabase,
  "3D000": noDatabase,
  SQLITE_NOTADB: noDatabase,
  SQLITE_CANTOPEN: noDatabase,
  ER_LOCK_DEADLOCK: busy,
  ER_LOCK_WAIT_TIMEOUT: busy,
  "40001": busy,
  "40P01": busy,
  "55P03": busy,
  SQLITE_BUSY: busy,
  SQLITE_LOCKED: busy,
  ER_DATA_TOO_LONG: tooLarge,
  ER_NET_PACKET_TOO_LARGE: tooLarge,
  "22001": tooLarge,
  SQLITE_TOOBIG: tooLarge,
  ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION: readOnly,
  "25006": readOnly,
  SQLITE_READONLY: readOnly,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: untrusted,
  CERT_HAS_EXPIRED: untrusted,
  HANDSHAKE_SSL_ERROR: untrusted,
  HANDSHAKE_NO_SSL_SUPPORT: noTls,
  ER_QUERY_TIMEOUT: slow,
  ER_STATEMENT_TIMEOUT: slow,
  "57014": slow,
};

/** What a driver's error means. Its own words are the cause alone: they may hold data of a row. */
export function sqlFault(cause: unknown): PlatformError {
  if (cause instanceof PlatformError) return cause;
  const code = codeOf(cause);
  const [meaning, words] = meanings[code] ?? [
    "unavailable",
    `The database did not answer${code ? ` (${code})` : ""}. Check that it runs at this address.`,
  ];
  return new PlatformError(meaning, words, { cause });
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "";
  if ("code" in error && typeof error.code === "string") return error.code;
  return codeOf(error.cause);
}
