// SPDX-License-Identifier: MIT
// The scene on the site's first page. scripts/docs puts the npm package (`load`, `debugDraw`) before this script, so
// that the page works as a file.
(async () => {
  const WIDTH = 760, HEIGHT = 360, BOX = 24, DT = 1 / 60;
  const HISTORY_STEPS = 600, SAVE_EVERY = 2;
  const COLOURS = ["#4f8fd9", "#f0a04b", "#5fb48c", "#c8669b", "#8a78d6"];
  const root = document.getElementById("live");
  const element = (name) => root.querySelector(`[data-live=${name}]`);
  const canvas = element("canvas"), context = canvas.getContext("2d"), slider = element("time");
  const fm = await load();

  let spaces = [build()]; // later the four futures
  let history = []; // { step, snapshot }, oldest first
  let step = 0, isHeld = false;

  function build() {
    const space = new fm.Space({ capacityBytes: 1 << 22 });
    space.gravity = { x: 0, y: -500 };
    const corners = [[0, HEIGHT * 3], [0, 8], [WIDTH, 8], [WIDTH, HEIGHT * 3]].map(([x, y]) => ({ x, y }));
    space.createBody({ type: "static", shapes: corners.slice(1).map((b, i) => ({ a: corners[i], b, radius: 4, friction: 0.8 })) });
    for (let row = 0; row < 8; ++row) {
      for (let column = 0; column < 8 - row; ++column) drop(space, { x: 300 + (BOX + 2) * (column + row / 2), y: 25 + (BOX + 0.2) * row });
    }
    return space;
  }
  function drop(space, position) {
    if (space.bodies.length < 200) space.createBody({ position, shapes: [{ width: BOX, height: BOX, mass: 1, friction: 0.6 }] });
  }
  function throwBall(space, velocity) {
    space.createBody({ position: { x: 40, y: 90 }, velocity, shapes: [{ radius: 20, mass: 15, friction: 0.5 }] });
  }
  const forget = () => { for (const { snapshot } of history.splice(0)) snapshot.free(); };
  function keep(index) {
    spaces.forEach((space, i) => i === index || space.free());
    spaces = [spaces[index]];
    forget();
  }

  function advance() {
    if (isHeld) return;
    if (spaces.length === 1 && step % SAVE_EVERY === 0) {
      const oldest = history.length >= HISTORY_STEPS / SAVE_EVERY ? history.shift().snapshot : undefined;
      history.push({ step, snapshot: spaces[0].save(oldest) });
    }
    for (const space of spaces) space.step(DT);
    ++step;
  }
  /** Goes back to a snapshot and forgets later ones. */
  function rewind(index) {
    spaces[0].restore(history[index].snapshot);
    step = history[index].step;
    for (const later of history.splice(index + 1)) later.snapshot.free();
  }

  function draw() {
    const ratio = canvas.width / WIDTH, isDark = matchMedia("(prefers-color-scheme: dark)").matches, part = spaces.length === 1 ? 1 : 0.5;
    const stroke = isDark ? "#e4e7eb" : "#1f2933";
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    spaces.forEach((space, i) => {
      const left = (i % 2) * WIDTH * part, bottom = spaces.length === 1 ? HEIGHT : HEIGHT * part * (1 + Math.floor(i / 2));
      context.save();
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      context.beginPath();
      context.rect(left, bottom - HEIGHT * part, WIDTH * part, HEIGHT * part);
      context.clip();
      context.setTransform(ratio * part, 0, 0, -ratio * part, ratio * left, ratio * bottom);
      const colours = new Map(space.bodies.map((body, n) => [body, n === 0 ? "#9aa5b1" : COLOURS[n % COLOURS.length]]));
      debugDraw(context, space, { stroke, fill: ({ body }) => colours.get(body) });
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      if (part < 1) {
        context.strokeStyle = stroke;
        context.strokeRect(left, bottom - HEIGHT * part, WIDTH * part, HEIGHT * part);
      }
      context.restore();
    });
    slider.max = Math.max(0, history.length - 1);
    if (!isHeld) slider.value = slider.max;
    slider.disabled = spaces.length > 1;
    const [space] = spaces;
    element("numbers").textContent = spaces.length > 1 ? "Four futures. Click one to go on with it."
      : `step ${step} · ${space.bodies.length - 1} bodies · a snapshot has ${Math.ceil(space.liveBytes / 1024)} KB · hash ${space.hash().toString(16).slice(0, 8)}`;
  }

  canvas.addEventListener("pointerdown", (event) => {
    const box = canvas.getBoundingClientRect();
    const x = (event.clientX - box.left) / box.width * WIDTH, y = (event.clientY - box.top) / box.height * HEIGHT;
    if (spaces.length > 1) keep((x < WIDTH / 2 ? 0 : 1) + (y < HEIGHT / 2 ? 0 : 2));
    else drop(spaces[0], { x, y: HEIGHT - y });
  });
  element("drop").addEventListener("click", () => {
    for (const space of spaces) drop(space, { x: 60 + (step * 97) % (WIDTH - 120), y: HEIGHT - 30 });
  });
  slider.addEventListener("input", () => {
    isHeld = true;
    if (history.length > 0) spaces[0].restore(history[Number(slider.value)].snapshot);
  });
  slider.addEventListener("change", () => {
    if (history.length > 0) rewind(Number(slider.value));
    isHeld = false;
  });
  element("fork").addEventListener("click", () => {
    if (spaces.length > 1) return keep(0);
    spaces.push(...[1, 2, 3].map(() => spaces[0].fork()));
    spaces.forEach((space, i) => throwBall(space, { x: [700, 350, 900, 500][i], y: [60, 120, 250, 420][i] }));
  });
  element("again").addEventListener("click", () => {
    for (const space of spaces) space.free();
    forget();
    spaces = [build()];
    step = 0;
  });

  let before = performance.now(), due = 0;
  function onFrame(now) {
    due = Math.min(due + (now - before) / 1000, 0.1);
    before = now;
    for (; due >= DT; due -= DT) advance();
    canvas.width = Math.round(canvas.clientWidth * devicePixelRatio);
    canvas.height = Math.round(canvas.width * HEIGHT / WIDTH);
    draw();
    requestAnimationFrame(onFrame);
  }
  root.hidden = false;
  requestAnimationFrame(onFrame);
  window.forkmunkScene = { state: () => ({ step, spaces: spaces.length, hashes: spaces.map((space) => String(space.hash())), saved: history.length }) };
})();
