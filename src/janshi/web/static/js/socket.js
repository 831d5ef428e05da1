/**
 * A WebSocket that reconnects by itself, and reports its state.
 * @module
 */

/** @typedef {"connecting" | "open" | "lost" | "closed"} SocketState */

const FIRST_WAIT = 300;
const LONGEST_WAIT = 5000;
const PING_EVERY = 15000;
/** Silence after which a connection is given up. */
const SILENCE = 40000;
/** Codes with which the server closes if reconnecting would not help: not allowed, no such game. */
const REFUSED = [1008, 4403, 4404];

export class LiveSocket {
  /**
   * @param {string} path such as "/api/live/abc/socket?key=…"
   * @param {(message: import("./schema.js").Said) => void} onMessage
   * @param {(state: SocketState, reason: string) => void} onState
   */
  constructor(path, onMessage, onState) {
    this.url = new URL(path, location.href);
    this.url.protocol = this.url.protocol === "https:" ? "wss:" : "ws:";
    this.onMessage = onMessage;
    this.onState = onState;
    this.wait = FIRST_WAIT;
    this.heard = Date.now();
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.retry = undefined;
    this.ended = false;
    this.pinging = setInterval(() => this.#ping(), PING_EVERY);
    this.hurry = () => this.#hurry();
    addEventListener("online", this.hurry);
    document.addEventListener("visibilitychange", this.hurry);
    this.#connect();
  }

  /**
   * @param {import("./schema.js").Heard} message
   * @returns {boolean} whether it could be sent now
   */
  send(message) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.ended = true;
    clearInterval(this.pinging);
    clearTimeout(this.retry);
    removeEventListener("online", this.hurry);
    document.removeEventListener("visibilitychange", this.hurry);
    this.socket?.close();
  }

  #connect() {
    if (this.ended) return;
    this.onState("connecting", "");
    const socket = new WebSocket(this.url);
    this.socket = socket;
    socket.addEventListener("open", () => {
      this.wait = FIRST_WAIT;
      this.heard = Date.now();
      this.onState("open", "");
    });
    socket.addEventListener("message", (event) => {
      this.heard = Date.now();
      this.onMessage(JSON.parse(event.data));
    });
    socket.addEventListener("close", (event) => this.#closed(socket, event));
  }

  /**
   * @param {WebSocket} socket
   * @param {CloseEvent} event
   */
  #closed(socket, event) {
    if (this.ended || socket !== this.socket) return;
    if (REFUSED.includes(event.code)) {
      this.ended = true;
      clearInterval(this.pinging);
      this.onState("closed", event.reason);
      return;
    }
    this.onState("lost", "");
    this.retry = setTimeout(() => this.#connect(), this.wait);
    this.wait = Math.min(this.wait * 1.7, LONGEST_WAIT);
  }

  /** Reconnects at once when the machine is online again or the page becomes visible. */
  #hurry() {
    if (this.ended || document.hidden || !this.socket) return;
    if (this.socket.readyState === WebSocket.CLOSED) {
      clearTimeout(this.retry);
      this.#connect();
    } else {
      this.#ping();
    }
  }

  #ping() {
    const socket = this.socket;
    if (this.ended || socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.heard > SILENCE) {
      this.socket = null;
      socket.close();
      this.onState("lost", "");
      this.#connect();
    } else {
      this.send({ type: "ping" });
    }
  }
}
