import type { DatabaseLocation } from "../../core/storage/database/index.js";
import { type ServiceProcess, startServiceProcess } from "./service-process.js";
import { type TestService, useService } from "./service.js";

/**
 * A service for the suite that calls this. This process answers its requests; its jobs are for processes that the tests
 * start and kill.
 * @param variables what both have beside the usual
 */
export function useWorkers(
  database: DatabaseLocation,
  variables: () => Record<string, string> = () => ({}),
): {
  service: TestService;
  startWorker: (more?: Record<string, string>) => Promise<ServiceProcess>;
} {
  const shared = () => ({
    PLATEN_ALLOW_PRIVATE_NETWORKS: "127.0.0.0/8",
    ...variables(),
  });
  const service = useService({
    config: { database },
    variables: shared,
    role: "serve",
  });
  const startWorker = async (more: Record<string, string> = {}) => {
    const worker = startServiceProcess(
      {
        PLATEN_DATA: service.dataFolder,
        PLATEN_DATABASE_URL:
          database.kind === "mysql" ? database.url : `sqlite:${database.file}`,
        PLATEN_BASE_URL: service.url,
        PLATEN_WORKER_LEASE: "1s",
        PLATEN_QUEUE_POLL: "50ms",
        ...shared(),
        ...more,
      },
      "worker",
    );
    await worker.url;
    return worker;
  };
  return { service, startWorker };
}
