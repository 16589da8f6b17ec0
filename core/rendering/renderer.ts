import type {
  ImagesJob,
  PageImage,
  PdfJob,
  PrintedPdf,
  Screenshot,
  ScreenshotJob,
} from "./jobs.js";
import type { RenderListener, RendererStats } from "./stats.js";

/** Prints and draws documents; owns every Chromium process of the service. */
export interface Renderer {
  /**
   * Unpacks what is missing, launches, prints a test page; once, however often it is called.
   * @throws PlatenError `unavailable` when no usable browser can be had.
   */
  start(): Promise<void>;
  /** @throws PlatenError `too_large`, `busy`, `timeout`, `crashed`, `render_failed` or `unavailable`. */
  pdf(job: PdfJob): Promise<PrintedPdf>;
  /** @throws PlatenError as `pdf`, and `invalid_request` for pages that the document does not have. */
  images(job: ImagesJob): Promise<PageImage[]>;
  /** @throws PlatenError as `pdf`. */
  screenshot(job: ScreenshotJob): Promise<Screenshot>;
  health(): RendererHealth;
  /** What it does now and what it did since the process started. Never fails. */
  stats(): Promise<RendererStats>;
  /** Tells of every job as it ends, refused ones too. The listener must not throw. @returns what ends the telling */
  observe(listener: RenderListener): () => void;
  /** Lets running jobs end, refuses new ones, and leaves no process and no temporary folder. */
  stop(): Promise<void>;
}

export interface RendererHealth {
  ready: boolean;
  /** Why it is not ready. */
  reason?: string;
  queued: number;
  busy: number;
  /** Browsers that died and were replaced; a planned change is not counted. */
  restarts: number;
  /** Pages that crashed or hung and were replaced. */
  pagesReplaced: number;
  browser?: {
    pid: number;
    version: string;
    isSandboxed: boolean;
    /** Of its whole process tree, at the last look. */
    pssMb?: number;
  };
}
