// Starts the viewer on the document beside the page.

const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
follow();
dark.addEventListener('change', follow);

const nothing = () => () => null;

const calm = () => ({
  wrapComponents: {
    // There is one server, and a request that can be tried has nothing to cancel.
    ServersContainer: nothing,
    TryItOutButton: nothing,
    OpenAPIVersion: nothing,
    // A browser remembers what is typed into a form, and some have its spelling checked elsewhere: not a key.
    Input:
      (Input, { React }) =>
      (props) =>
        React.createElement(Input, { ...props, autoComplete: 'off', spellCheck: false }),
  },
});

SwaggerUIBundle({
  dom_id: '#viewer',
  url: 'openapi.json',
  plugins: [calm],
  deepLinking: true,
  docExpansion: 'list', // all open operations take seconds to be drawn
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  syntaxHighlight: { theme: dark.matches ? 'nord' : 'idea' },
  // A pasted key lives as long as the page, and nothing is sent to others.
  persistAuthorization: false,
  validatorUrl: null,
});
