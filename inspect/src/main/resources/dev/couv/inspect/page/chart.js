// SPDX-License-Identifier: Apache-2.0
"use strict";

/**
 * A small plot of one value over the last two minutes, or of several that are of one kind; hovering tells one moment. Of several the first is
 * filled, and each step up the scale, which is marked, is ten times as much: what is seldom may be a thousand times what is usual.
 */
class Chart {
  static SPAN = 120_000;
  static COLORS = ["--accent", "--warm", "--bad"];

  constructor(id, words, values = 1) {
    this.canvas = document.getElementById(id);
    this.told = Array.from({length: values}, (_, i) => document.getElementById(`${id}-${i}`));
    this.words = words;
    this.points = [];
    this.hover = null;
    new ResizeObserver(() => this.draw()).observe(this.canvas);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.draw());
    this.canvas.addEventListener("pointermove", e => { this.hover = e.offsetX; this.draw(); });
    this.canvas.addEventListener("pointerleave", () => { this.hover = null; this.draw(); });
  }

  /** Points are a moment and its values, the oldest first. */
  show(points) {
    this.points = points;
    this.draw();
  }

  draw() {
    const scale = devicePixelRatio || 1, width = this.canvas.clientWidth, height = this.canvas.clientHeight;
    if (!width) return;
    this.canvas.width = width * scale;
    this.canvas.height = height * scale;
    const to = this.canvas.getContext("2d");
    to.scale(scale, scale);
    const style = getComputedStyle(document.documentElement), color = name => style.getPropertyValue(name).trim();
    const end = this.points.length ? this.points.at(-1)[0] : 0, shown = this.points.filter(p => p[0] > end - Chart.SPAN);
    const max = shown.reduce((most, p) => Math.max(most, ...p.slice(1)), 0) || 1;
    const several = this.told.length > 1, size = n => several ? Math.log10(1 + n) : n;
    const x = p => width - 1 - (end - p[0]) / Chart.SPAN * (width - 2), y = n => height - 2 - size(n) / size(max) * (height - 14);
    const rule = at => {
      to.beginPath();
      to.moveTo(0, at); to.lineTo(width, at);
      to.stroke();
    };
    to.strokeStyle = color("--line");
    to.lineWidth = 1;
    rule(height - 1.5);
    if (several) for (let step = 10; step < max; step *= 10) rule(Math.round(y(step)) + .5);
    for (let i = this.told.length; i > 0; i--) this.line(to, shown, x, p => y(p[i]), color(Chart.COLORS[i - 1]), i === 1 ? color("--fill") : null);
    to.fillStyle = color("--soft");
    to.font = "10px system-ui, sans-serif";
    if (shown.length) to.fillText(this.words(max), 0, 9);
    let told = shown.at(-1);
    if (this.hover !== null && shown.length) {
      told = shown.reduce((best, p) => Math.abs(x(p) - this.hover) < Math.abs(x(best) - this.hover) ? p : best);
      for (let i = this.told.length; i > 0; i--) {
        to.fillStyle = color(Chart.COLORS[i - 1]);
        to.beginPath();
        to.arc(x(told), y(told[i]), 3, 0, 7);
        to.fill();
      }
    }
    this.told.forEach((place, i) => place.textContent = told ? this.words(told[i + 1]) : "");
  }

  line(to, shown, x, y, stroke, fill) {
    if (shown.length < 2) return;
    to.beginPath();
    shown.forEach((p, i) => i ? to.lineTo(x(p), y(p)) : to.moveTo(x(p), y(p)));
    to.strokeStyle = stroke;
    to.lineWidth = 1.5;
    to.lineJoin = "round";
    to.stroke();
    if (!fill) return;
    const base = this.canvas.clientHeight - 1.5;
    to.lineTo(x(shown.at(-1)), base); to.lineTo(x(shown[0]), base);
    to.fillStyle = fill;
    to.fill();
  }
}
