// Files opened by the dialog, or dropped anywhere on the page.

export function takeFiles(input: HTMLInputElement, overlay: HTMLElement, take: (file: File) => void): void {
  input.addEventListener("change", () => {
    const file = input.files?.[0];
    if (file !== undefined) take(file);
    input.value = ""; // allows choosing the same file again
  });

  let depth = 0; // nesting depth of the entered elements
  const show = (visible: boolean) => {
    overlay.hidden = !visible;
  };
  const carriesFile = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  document.addEventListener("dragenter", (event) => {
    if (!carriesFile(event)) return;
    event.preventDefault();
    ++depth;
    show(true);
  });
  document.addEventListener("dragleave", () => {
    depth = Math.max(0, depth - 1);
    if (depth === 0) show(false);
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    depth = 0;
    show(false);
    const file = event.dataTransfer?.files[0];
    if (file !== undefined) take(file);
  });
}
