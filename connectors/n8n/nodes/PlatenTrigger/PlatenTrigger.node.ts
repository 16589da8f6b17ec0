import {
  type IHookFunctions,
  type INodeType,
  type INodeTypeDescription,
  type IWebhookFunctions,
  type IWebhookResponseData,
  NodeConnectionTypes,
  NodeOperationError,
} from "n8n-workflow";
import type { Body } from "../../../../sdk/src/calls.js";
import {
  PlatenWebhookError,
  verifyWebhook,
} from "../../../../sdk/src/webhooks.js";
import { call, callIfExists, CREDENTIALS } from "../../shared/api.js";

type EventType = NonNullable<Body<"createWebhook">["events"]>[number];

/** What n8n keeps of the endpoint while the workflow is active. */
interface Registration {
  webhookId?: string;
  secret?: string;
}

export class PlatenTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: "Platen Trigger",
    name: "platenTrigger",
    icon: {
      light: "file:../../icons/platen.svg",
      dark: "file:../../icons/platen.dark.svg",
    },
    group: ["trigger"],
    version: 1,
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: "Starts the workflow when Platen finishes documents",
    defaults: { name: "Platen Trigger" },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: CREDENTIALS, required: true }],
    webhooks: [
      {
        name: "default",
        httpMethod: "POST",
        responseMode: "onReceived",
        path: "webhook",
      },
    ],
    properties: [
      {
        displayName:
          "Single documents that are rendered while you wait send no events about documents, only about signatures",
        name: "notice",
        type: "notice",
        default: "",
      },
      {
        displayName: "Events",
        name: "events",
        type: "multiOptions",
        required: true,
        default: ["documents.completed"],
        options: [
          {
            name: "Batch Completed",
            value: "documents.completed",
            description: "All documents of a batch are done",
          },
          {
            name: "Batch Saved",
            value: "documents.saved",
            description:
              "The files of a batch were written into the records of a table",
          },
          {
            name: "Document Expired",
            value: "document.expired",
            description: "A document expired before it was rendered",
          },
          {
            name: "Document Failed",
            value: "document.failed",
            description: "A document of a batch failed",
          },
          {
            name: "Document Saved",
            value: "document.saved",
            description:
              "The files of a document were written into the record of a table",
          },
          {
            name: "Document Succeeded",
            value: "document.succeeded",
            description: "A document of a batch is ready",
          },
          {
            name: "Signature Completed",
            value: "signature.completed",
            description: "Everyone has signed",
          },
          {
            name: "Signature Declined",
            value: "signature.declined",
            description: "Somebody refused to sign",
          },
          {
            name: "Signature Expired",
            value: "signature.expired",
            description: "A document was not signed in time",
          },
        ],
      },
    ],
  };

  webhookMethods = {
    default: {
      /** Whether the endpoint is registered. One with other events, or that Platen has disabled, is set right. */
      async checkExists(this: IHookFunctions): Promise<boolean> {
        const { webhookId: id } = getRegistration(this);
        if (!id) return false;
        const ids = [id];
        const endpoint = await callIfExists(this, "getWebhook", { ids });
        // Another address is that of a test while the workflow is active.
        if (endpoint?.data.url !== this.getNodeWebhookUrl("default"))
          return false;
        const body = { events: getEvents(this), isEnabled: true };
        await call(this, "updateWebhook", { ids, body });
        return true;
      },

      async create(this: IHookFunctions): Promise<boolean> {
        const { name, id } = this.getWorkflow();
        const { data } = await call(this, "createWebhook", {
          body: {
            url: this.getNodeWebhookUrl("default") ?? "",
            events: getEvents(this),
            description: `n8n workflow ${name ?? id}`.slice(0, 500),
          },
        });
        const registration = getRegistration(this);
        registration.webhookId = data.id;
        registration.secret = data.secret;
        return true;
      },

      async delete(this: IHookFunctions): Promise<boolean> {
        const registration = getRegistration(this);
        const { webhookId: id } = registration;
        if (id) await callIfExists(this, "deleteWebhook", { ids: [id] });
        delete registration.webhookId;
        delete registration.secret;
        return true;
      },
    },
  };

  async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
    const request = this.getRequestObject();
    await request.readRawBody();
    const headers = this.getHeaderData();
    const { secret } = getRegistration(this);
    // For a moment after the registration, n8n has not stored the secret. Platen sends such a message again.
    const secrets = secret === undefined ? [] : [secret];
    try {
      const event = await verifyWebhook(request.rawBody, headers, secrets);
      // Beside the events that were chosen, there are tests.
      const isChosen = getEvents(this).some((type) => type === event.type);
      if (!isChosen) return {};
      const json = { id: headers["webhook-id"], ...event };
      return { workflowData: [[{ json }]] };
    } catch (error) {
      if (!(error instanceof PlatenWebhookError))
        throw new NodeOperationError(this.getNode(), error as Error);
      const response = this.getResponseObject();
      response.statusCode = 400;
      response.end(error.message);
      return { noWebhookResponse: true };
    }
  }
}

function getRegistration(
  context: IHookFunctions | IWebhookFunctions,
): Registration {
  return context.getWorkflowStaticData("node");
}

function getEvents(context: IHookFunctions | IWebhookFunctions): EventType[] {
  return context.getNodeParameter("events") as EventType[];
}
