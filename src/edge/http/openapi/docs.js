// Relative to the page's base, so that it also works below a proxy's prefix.
SwaggerUIBundle({
  url: new URL("../openapi.json", document.baseURI).href,
  dom_id: "#interface",
  deepLinking: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  validatorUrl: null,
});
