/** The page at /docs. Everything that it loads is ours; see its policy. */
export const referencePage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Platen: reference</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<link rel="stylesheet" href="docs/page.css">
</head>
<body>
<main id="reference"></main>
<noscript>This page needs scripts. The same as data: <a href="openapi.json">openapi.json</a>.</noscript>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/page.js"></script>
</body>
</html>
`;

/** Starts the library: no validator elsewhere, no key kept in the browser. */
export const referenceScript = `SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  defaultModelRendering: "example",
  displayRequestDuration: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

export const referenceStyle = `body { margin: 0; background: #fff; }
.swagger-ui .wrapper { max-width: 1100px; }
.swagger-ui .info { margin: 40px 0 24px; }
.swagger-ui .info li, .swagger-ui .info p { font-size: 15px; line-height: 1.55; }
.swagger-ui .renderedMarkdown code, .swagger-ui .info code { color: #2b3a67; font-weight: 500; }
.swagger-ui .renderedMarkdown pre > code, .swagger-ui .info pre > code { display: block; padding: 12px 14px; }
.swagger-ui .scheme-container { box-shadow: none; padding: 12px 0; background: #f5f6f9; }
.swagger-ui .opblock .opblock-summary-description { font-size: 14px; }
noscript { display: block; margin: 40px auto; max-width: 40em; font: 16px/1.5 sans-serif; }
`;

/** Own scripts and requests to ourselves alone; the library's icons are data URLs. */
export const referencePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";
