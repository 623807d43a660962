// SPDX-License-Identifier: Apache-2.0
import fs from "node:fs";
import { defineConfig } from "vitepress";

const slugify = (heading) => heading.trim().toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
const here = new URL("..", import.meta.url);

export default defineConfig({
  lang: "en-GB",
  title: "Couv",
  description: "Coroutines on libuv for Java",
  base: process.env.SITE_BASE ?? "/",
  outDir: process.env.SITE_OUT,
  cacheDir: process.env.SITE_CACHE,
  lastUpdated: false,
  ignoreDeadLinks: [/^\/?(\.\/)*(api|files)\//], // made beside; tools/site looks at every link afterwards
  markdown: {
    theme: { light: "github-light", dark: "github-dark" },
    anchor: { slugify }, // the same places as on a code host
  },
  themeConfig: {
    nav: [
      { text: "Learn", link: "/manual/learn/", activeMatch: "/manual/learn/" },
      { text: "Guides", link: "/manual/guides/", activeMatch: "/manual/guides/" },
      { text: "Reference", link: "/manual/", activeMatch: "/manual/(?!learn|guides)" },
      { text: "Examples", link: "/examples/", activeMatch: "/examples/" },
      { text: "Inside", link: "/architecture", activeMatch: "/(architecture|contributing|changelog|benchmarks|internals|adr)" },
      { text: "Javadoc", link: "/api/index.html", target: "_self" },
    ],
    sidebar: JSON.parse(fs.readFileSync(new URL("navigation.json", here))),
    outline: { level: [2, 3] },
    // Pages for those who use Couv come before pages for those who work on it.
    search: {
      provider: "local",
      options: {
        detailedView: true,
        miniSearch: { searchOptions: { boostDocument: (page) => (/\/(internals|adr|changelog|contributing|architecture)/.test(page) ? 0.2 : 1) } },
      },
    },
    docFooter: { prev: "Before", next: "Next" },
    footer: { message: "Apache-2.0" },
  },
});
