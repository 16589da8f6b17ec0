export { databaseNow } from "../store/index.js";
