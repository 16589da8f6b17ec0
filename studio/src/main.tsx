import "@fontsource-variable/inter/wght.css";
import "./styles/base.css";
import "./styles/controls.css";
import "./styles/shell.css";
import "./styles/pages.css";
import { render } from "preact";
import { App } from "./app.js";
import { language } from "./messages/index.js";
import { applyTheme } from "./theme.js";

applyTheme();
document.documentElement.lang = language;
const place = document.querySelector("#app");
if (place) render(<App />, place);
