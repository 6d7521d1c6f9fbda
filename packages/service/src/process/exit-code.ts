/** Exit codes: `failed` for a fault of the process or its dependencies, `settings` for invalid settings. */
export const EXIT_CODE = { failed: 1, settings: 2 } as const;
