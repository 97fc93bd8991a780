import{e}from"./app.js";function t({name:t,text:o}){const a=URL.createObjectURL(new Blob([o],{type:"text/plain"}));e("a",{href:a,download:t}).click(),URL.revokeObjectURL(a)}export{t as s};
