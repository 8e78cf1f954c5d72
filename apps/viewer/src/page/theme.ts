// Light or dark theme: the system's, until the user chooses.

const KEY = "forkmunk-theme";

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null; // a page opened from a file may have no storage
  }
}

export class Theme {
  private readonly system = matchMedia("(prefers-color-scheme: dark)");
  private chosen = stored();

  constructor(private readonly changed: () => void) {
    this.system.addEventListener("change", () => this.apply());
    this.apply();
  }

  get dark(): boolean {
    return this.chosen === null ? this.system.matches : this.chosen === "dark";
  }

  toggle(): void {
    this.chosen = this.dark ? "light" : "dark";
    try {
      localStorage.setItem(KEY, this.chosen);
    } catch {
      // Applies until the page is closed.
    }
    this.apply();
  }

  private apply(): void {
    document.documentElement.dataset.theme = this.dark ? "dark" : "light";
    this.changed();
  }
}
