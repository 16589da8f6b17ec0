import type {
  IAuthenticateGeneric,
  Icon,
  ICredentialTestRequest,
  ICredentialType,
  INodeProperties,
} from "n8n-workflow";

export class PlatenApi implements ICredentialType {
  name = "platenApi";
  displayName = "Platen API";
  icon: Icon = {
    light: "file:../icons/platen.svg",
    dark: "file:../icons/platen.dark.svg",
  };
  properties: INodeProperties[] = [
    {
      displayName: "Base URL",
      name: "baseUrl",
      type: "string",
      default: "",
      required: true,
      placeholder: "https://platen.example.com",
      description: "The address of your Platen service",
    },
    {
      displayName: "API Key",
      name: "apiKey",
      type: "string",
      typeOptions: { password: true },
      default: "",
      required: true,
      description:
        "Create it in the studio under API keys. Documents and batches need the permissions to see templates and to see and create documents; Platen Trigger also needs those for webhooks.",
    },
  ];
  authenticate: IAuthenticateGeneric = {
    type: "generic",
    properties: { headers: { "x-api-key": "={{ $credentials.apiKey }}" } },
  };
  test: ICredentialTestRequest = {
    request: {
      baseURL: '={{ $credentials.baseUrl.replace(/\\/+$/, "") }}',
      url: "/api/templates",
      qs: { pageSize: 1 },
    },
    rules: [
      {
        type: "responseCode",
        properties: {
          value: 401,
          message: "Platen does not know this API key, or it was revoked",
        },
      },
      {
        type: "responseCode",
        properties: {
          value: 403,
          message: "This API key may not see templates, or not from here",
        },
      },
    ],
  };
}
