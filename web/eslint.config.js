import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import globals from "globals";
import ts from "typescript-eslint";

export default ts.config(
    js.configs.recommended,
    ...ts.configs.strict,
    ...svelte.configs.recommended,
    {
        languageOptions: { globals: { ...globals.browser, ...globals.serviceworker, ...globals.node } },
        rules: {
            eqeqeq: "error",
            // the outline of a drawing is one line, however long
            "max-len": [
                "error",
                { code: 120, ignoreStrings: true, ignoreTemplateLiterals: true, ignorePattern: '^\\s*d="M' },
            ],
            // the compiler knows what is defined, and which locals nobody uses
            "no-undef": "off",
            "@typescript-eslint/no-unused-vars": "off",
            // `noUncheckedIndexedAccess` asks at every index; `!` says that a seat has its score
            "@typescript-eslint/no-non-null-assertion": "off",
            // lists are short and come anew as a whole: the place in them is a good key
            "svelte/require-each-key": "off",
            // what the page watches is `$state`; a plain Map is one on purpose
            "svelte/prefer-svelte-reactivity": "off",
            // the formatter writes {" "} where a line ends and a space must stay
            "svelte/no-useless-mustaches": "off",
        },
    },
    {
        files: ["**/*.svelte", "**/*.svelte.ts"],
        languageOptions: { parserOptions: { parser: ts.parser } },
    },
);
