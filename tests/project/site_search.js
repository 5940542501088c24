// SPDX-License-Identifier: Apache-2.0
// Asks the search of a built site as its pages do: node site_search.js SITE QUERY... prints, for each query, a line of
// JSON: the locations found, best first. The search is the site's own worker.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [site, ...queries] = process.argv.slice(2);
const workers = path.join(site, "assets/javascripts/workers");
const worker = fs.readdirSync(workers).find((name) => /^search\..*\.min\.js$/.test(name));
let told;
const run = (file) => vm.runInContext(fs.readFileSync(path.resolve(workers, file), "utf8"), context);
const context = vm.createContext({
    console,
    addEventListener: (_, listener) => (told = listener),
    importScripts: (...files) => files.forEach(run),
});
context.self = context;
run(worker);

const ask = (type, data) =>
    new Promise((answered) => {
        context.postMessage = answered;
        told({ data: { type, data } });
    });

(async () => {
    const index = JSON.parse(fs.readFileSync(path.join(site, "search/search_index.json"), "utf8"));
    await ask(0, { ...index, options: { suggest: true } });
    for (const query of queries) {
        const { data } = await ask(2, query);
        console.log(JSON.stringify(data.items.map((page) => page.filter((entry) => entry.score > 0).map((entry) => entry.location))));
    }
})();
