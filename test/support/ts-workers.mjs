// Worker threads do not inherit tsx on Node 20, so a thread whose file is TypeScript registers it for itself.
import { isMainThread } from "node:worker_threads";
import { register } from "tsx/esm/api";

if (!isMainThread) register();
