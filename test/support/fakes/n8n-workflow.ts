// What the nodes take from the package n8n-workflow when they run. `npm run test:n8n` runs the packed nodes in n8n itself.

export const NodeConnectionTypes = { Main: "main" };

export class NodeOperationError extends Error {
  override readonly name = "NodeOperationError";
  readonly description: string | undefined;
  readonly itemIndex: number | undefined;

  constructor(
    readonly node: object,
    error: Error | string,
    options: { description?: string; itemIndex?: number } = {},
  ) {
    super(typeof error === "string" ? error : error.message);
    this.description = options.description;
    this.itemIndex = options.itemIndex;
  }
}

export class NodeApiError extends Error {
  override readonly name = "NodeApiError";
  readonly httpCode: string | null;
  readonly description: string | undefined;

  constructor(
    readonly node: object,
    response: { message?: string },
    options: {
      message?: string;
      description?: string;
      httpCode?: string;
    } = {},
  ) {
    super(options.message ?? response.message);
    this.httpCode = options.httpCode ?? null;
    this.description = options.description;
  }
}

export async function sleep(milliseconds: number): Promise<void> {
  await new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
