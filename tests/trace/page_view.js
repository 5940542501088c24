// SPDX-License-Identifier: Apache-2.0
// Runs the scripts of a timeline's page without a browser: node page_view.js PAGE EXPRESSION... prints the value of each
// expression as a line of JSON. The document is as much of one as the page needs; what is drawn is not looked at.
"use strict";
const fs = require("fs");
const vm = require("vm");

const [file, ...expressions] = process.argv.slice(2);
const page = fs.readFileSync(file, "utf8");

class Node {
    constructor() {
        Object.assign(this, { children: [], style: {}, dataset: {}, attributes: {}, className: "", own: "", hidden: false });
        const names = new Set();
        this.classList = { add: (n) => names.add(n), remove: (n) => names.delete(n), contains: (n) => names.has(n),
                           toggle: (n, on) => (on ? names.add(n) : names.delete(n)) };
    }
    get textContent() { return this.own + this.children.map((c) => c.textContent).join(" "); }
    set textContent(text) { this.own = String(text); this.children = []; }
    append(...children) { this.children.push(...children); }
    replaceChildren(...children) { this.own = ""; this.children = children; }
    setAttribute(name, value) { this.attributes[name] = String(value); }
    addEventListener() {}
    getBoundingClientRect() { return { left: 0, top: 0, width: 800, height: 400 }; }
    focus() {}
    remove() {}
    getContext() {
        return new Proxy({}, { get: (own, name) => (name in own ? own[name] : () => ({ width: 10 })),
                               set: (own, name, value) => { own[name] = value; return true; } });
    }
}

const scripts = (type) => [...page.matchAll(new RegExp(`<script${type}>([^<]*)</script>`, "g"))].map((m) => m[1]);
const elements = new Map();
const element = (id) => elements.get(id) || elements.set(id, new Node()).get(id);
element("facts").textContent = scripts(' type="application/json" id="facts"')[0];
const chunks = scripts(' type="application/x-sfumato"').map((text) => Object.assign(new Node(), { own: text }));
const context = vm.createContext({
    document: { getElementById: element, querySelectorAll: () => chunks, createElement: () => new Node(), documentElement: new Node() },
    getComputedStyle: () => ({ getPropertyValue: () => "#102030", colorScheme: "light" }),
    matchMedia: () => new Node(), addEventListener: () => {}, requestAnimationFrame: (draw) => draw(),
    atob, Blob, Response, DecompressionStream, TextDecoder, TextEncoder, setTimeout, clearTimeout, console,
});
context.window = context;
for (const [, text] of page.matchAll(/<script>\n([\s\S]*?)<\/script>/g)) vm.runInContext(text, context);

const ready = async () => {
    while (!context.document.documentElement.dataset.ready) {
        if (element("busy").textContent) throw new Error(element("busy").textContent);
        await new Promise((next) => setTimeout(next, 5));
    }
};
ready().then(() => {
    for (const expression of expressions) console.log(JSON.stringify(vm.runInContext(expression, context) ?? null));
}).catch((error) => { console.error(error); process.exit(1); });
