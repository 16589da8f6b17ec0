// Checking, compiling and merging for other capabilities. What is short is done at once; what may take longer is done
// in worker threads, so that the thread which answers requests is never held by one of them.
export { type Caller, ComputePool } from "./compute-pool.js";
export { Compute } from "./compute.js";
export {
  type ProgramCall,
  ProgramRunner,
  type ProgramSource,
} from "./program-runner.js";
