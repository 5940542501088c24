// SPDX-License-Identifier: Apache-2.0
// The search in pages opened from the disk, where browsers refuse workers: its script runs in a hidden frame instead.
// The theme's worker looks for the name IFrameWorker in its parent, and waits for what importScripts returns.
window.IFrameWorker = class extends EventTarget {
  constructor(url) {
    super();
    this.onmessage = null;
    this.onerror = null;
    const frame = document.createElement("iframe");
    frame.hidden = true;
    document.body.append(frame);
    this.scope = frame.contentWindow;
    this.scope.postMessage = (data) => this.tell("message", { data });
    this.scope.importScripts = async (...urls) => {
      for (const each of urls) await this.load(each);
    };
    this.ready = this.load(new URL(url, document.baseURI).href);
    this.ready.catch((error) => this.tell("error", { data: error }));
    this.close = () => frame.remove();
  }

  load(url) {
    return new Promise((done, failed) => {
      const script = this.scope.document.createElement("script");
      script.src = url;
      script.onload = done;
      script.onerror = () => failed(new Error(`cannot load ${url}`));
      this.scope.document.body.append(script);
    });
  }

  tell(type, init) {
    const event = new MessageEvent(type, init);
    this.dispatchEvent(event);
    this["on" + type]?.(event);
  }

  postMessage(data) {
    this.ready = this.ready.then(() => this.scope.dispatchEvent(new this.scope.MessageEvent("message", { data })));
  }

  terminate() {
    this.close();
  }
};
if (location.protocol === "file:") window.Worker = window.IFrameWorker;
