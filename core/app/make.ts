/** For the `join-*.ts` files until they are module.ts files, see modules.ts. */
export { registerFactory as make } from "../lib/injection.js";
