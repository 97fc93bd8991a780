import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: ["build/", "src/made/"] }, // what is made from Python is looked at there
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, globals: globals.browser }, // an old tablet knows no newer words
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "max-lines": ["error", { max: 400, skipBlankLines: true, skipComments: true }],
      "no-implicit-globals": "error",
      "no-shadow-restricted-names": "error",
      "no-undef-init": "error",
      "no-unneeded-ternary": "error",
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  { files: ["tests/*", "*.js"], languageOptions: { globals: globals.node } },
];
