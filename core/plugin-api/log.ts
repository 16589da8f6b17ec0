/** The part of a pino logger that rooms use; secrets are redacted by whoever makes it. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
  child(fields: Record<string, unknown>): Log;
}
